"""`optim`: optimizers and learning-rate schedules."""

from s2sgrad.eager.optim import lr_scheduler
from s2sgrad.eager.optim.adam import Adagrad, Adam, AdamW, RMSprop
from s2sgrad.eager.optim.optimizer import Optimizer
from s2sgrad.eager.optim.seldom import ASGD, Adadelta, Adamax, NAdam, RAdam, Rprop
from s2sgrad.eager.optim.sgd import SGD

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
