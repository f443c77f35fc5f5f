"""`optim`: optimizers and learning-rate schedules."""

from s2sgrad.eager.optim import lr_scheduler
from s2sgrad.eager.optim.adam import Adagrad, Adam, AdamW, RMSprop
from s2sgrad.eager.optim.optimizer import Optimizer
from s2sgrad.eager.optim.sgd import SGD

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]
