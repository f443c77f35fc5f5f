"""The logarithms of scipy.stats' densities for generated code; SciPy is imported at the first
call."""

from __future__ import annotations

from s2sgrad_runtime.scipy_helpers import lazy

__all__ = [
    "scipy_anglit_logpdf",
    "scipy_arcsine_logpdf",
    "scipy_beta_logpdf",
    "scipy_betaprime_logpdf",
    "scipy_bradford_logpdf",
    "scipy_burr12_logpdf",
    "scipy_cauchy_logpdf",
    "scipy_chi2_logpdf",
    "scipy_chi_logpdf",
    "scipy_cosine_logpdf",
    "scipy_dgamma_logpdf",
    "scipy_dweibull_logpdf",
    "scipy_erlang_logpdf",
    "scipy_expon_logpdf",
    "scipy_exponweib_logpdf",
    "scipy_f_logpdf",
    "scipy_fisk_logpdf",
    "scipy_foldnorm_logpdf",
    "scipy_gamma_logpdf",
    "scipy_genextreme_logpdf",
    "scipy_gengamma_logpdf",
    "scipy_genlogistic_logpdf",
    "scipy_gennorm_logpdf",
    "scipy_genpareto_logpdf",
    "scipy_gibrat_logpdf",
    "scipy_gompertz_logpdf",
    "scipy_gumbel_l_logpdf",
    "scipy_gumbel_r_logpdf",
    "scipy_halfcauchy_logpdf",
    "scipy_halfgennorm_logpdf",
    "scipy_halflogistic_logpdf",
    "scipy_halfnorm_logpdf",
    "scipy_hypsecant_logpdf",
    "scipy_invgamma_logpdf",
    "scipy_invgauss_logpdf",
    "scipy_invweibull_logpdf",
    "scipy_johnsonsb_logpdf",
    "scipy_johnsonsu_logpdf",
    "scipy_laplace_asymmetric_logpdf",
    "scipy_laplace_logpdf",
    "scipy_levy_l_logpdf",
    "scipy_levy_logpdf",
    "scipy_loggamma_logpdf",
    "scipy_logistic_logpdf",
    "scipy_loglaplace_logpdf",
    "scipy_lognorm_logpdf",
    "scipy_loguniform_logpdf",
    "scipy_lomax_logpdf",
    "scipy_maxwell_logpdf",
    "scipy_moyal_logpdf",
    "scipy_nakagami_logpdf",
    "scipy_norm_logpdf",
    "scipy_pareto_logpdf",
    "scipy_powerlaw_logpdf",
    "scipy_rayleigh_logpdf",
    "scipy_rice_logpdf",
    "scipy_semicircular_logpdf",
    "scipy_skewcauchy_logpdf",
    "scipy_skewnorm_logpdf",
    "scipy_t_logpdf",
    "scipy_triang_logpdf",
    "scipy_truncexpon_logpdf",
    "scipy_truncnorm_cdf",
    "scipy_truncnorm_logpdf",
    "scipy_truncnorm_sf",
    "scipy_uniform_logpdf",
    "scipy_vonmises_logpdf",
    "scipy_wald_logpdf",
    "scipy_weibull_max_logpdf",
    "scipy_weibull_min_logpdf",
]

scipy_anglit_logpdf = lazy("scipy.stats.anglit.logpdf")
scipy_arcsine_logpdf = lazy("scipy.stats.arcsine.logpdf")
scipy_beta_logpdf = lazy("scipy.stats.beta.logpdf")
scipy_betaprime_logpdf = lazy("scipy.stats.betaprime.logpdf")
scipy_bradford_logpdf = lazy("scipy.stats.bradford.logpdf")
scipy_burr12_logpdf = lazy("scipy.stats.burr12.logpdf")
scipy_cauchy_logpdf = lazy("scipy.stats.cauchy.logpdf")
scipy_chi2_logpdf = lazy("scipy.stats.chi2.logpdf")
scipy_chi_logpdf = lazy("scipy.stats.chi.logpdf")
scipy_cosine_logpdf = lazy("scipy.stats.cosine.logpdf")
scipy_dgamma_logpdf = lazy("scipy.stats.dgamma.logpdf")
scipy_dweibull_logpdf = lazy("scipy.stats.dweibull.logpdf")
scipy_erlang_logpdf = lazy("scipy.stats.erlang.logpdf")
scipy_expon_logpdf = lazy("scipy.stats.expon.logpdf")
scipy_exponweib_logpdf = lazy("scipy.stats.exponweib.logpdf")
scipy_f_logpdf = lazy("scipy.stats.f.logpdf")
scipy_fisk_logpdf = lazy("scipy.stats.fisk.logpdf")
scipy_foldnorm_logpdf = lazy("scipy.stats.foldnorm.logpdf")
scipy_gamma_logpdf = lazy("scipy.stats.gamma.logpdf")
scipy_genextreme_logpdf = lazy("scipy.stats.genextreme.logpdf")
scipy_gengamma_logpdf = lazy("scipy.stats.gengamma.logpdf")
scipy_genlogistic_logpdf = lazy("scipy.stats.genlogistic.logpdf")
scipy_gennorm_logpdf = lazy("scipy.stats.gennorm.logpdf")
scipy_genpareto_logpdf = lazy("scipy.stats.genpareto.logpdf")
scipy_gibrat_logpdf = lazy("scipy.stats.gibrat.logpdf")
scipy_gompertz_logpdf = lazy("scipy.stats.gompertz.logpdf")
scipy_gumbel_l_logpdf = lazy("scipy.stats.gumbel_l.logpdf")
scipy_gumbel_r_logpdf = lazy("scipy.stats.gumbel_r.logpdf")
scipy_halfcauchy_logpdf = lazy("scipy.stats.halfcauchy.logpdf")
scipy_halfgennorm_logpdf = lazy("scipy.stats.halfgennorm.logpdf")
scipy_halflogistic_logpdf = lazy("scipy.stats.halflogistic.logpdf")
scipy_halfnorm_logpdf = lazy("scipy.stats.halfnorm.logpdf")
scipy_hypsecant_logpdf = lazy("scipy.stats.hypsecant.logpdf")
scipy_invgamma_logpdf = lazy("scipy.stats.invgamma.logpdf")
scipy_invgauss_logpdf = lazy("scipy.stats.invgauss.logpdf")
scipy_invweibull_logpdf = lazy("scipy.stats.invweibull.logpdf")
scipy_johnsonsb_logpdf = lazy("scipy.stats.johnsonsb.logpdf")
scipy_johnsonsu_logpdf = lazy("scipy.stats.johnsonsu.logpdf")
scipy_laplace_asymmetric_logpdf = lazy("scipy.stats.laplace_asymmetric.logpdf")
scipy_laplace_logpdf = lazy("scipy.stats.laplace.logpdf")
scipy_levy_l_logpdf = lazy("scipy.stats.levy_l.logpdf")
scipy_levy_logpdf = lazy("scipy.stats.levy.logpdf")
scipy_loggamma_logpdf = lazy("scipy.stats.loggamma.logpdf")
scipy_logistic_logpdf = lazy("scipy.stats.logistic.logpdf")
scipy_loglaplace_logpdf = lazy("scipy.stats.loglaplace.logpdf")
scipy_lognorm_logpdf = lazy("scipy.stats.lognorm.logpdf")
scipy_loguniform_logpdf = lazy("scipy.stats.loguniform.logpdf")
scipy_lomax_logpdf = lazy("scipy.stats.lomax.logpdf")
scipy_maxwell_logpdf = lazy("scipy.stats.maxwell.logpdf")
scipy_moyal_logpdf = lazy("scipy.stats.moyal.logpdf")
scipy_nakagami_logpdf = lazy("scipy.stats.nakagami.logpdf")
scipy_norm_logpdf = lazy("scipy.stats.norm.logpdf")
scipy_pareto_logpdf = lazy("scipy.stats.pareto.logpdf")
scipy_powerlaw_logpdf = lazy("scipy.stats.powerlaw.logpdf")
scipy_rayleigh_logpdf = lazy("scipy.stats.rayleigh.logpdf")
scipy_rice_logpdf = lazy("scipy.stats.rice.logpdf")
scipy_semicircular_logpdf = lazy("scipy.stats.semicircular.logpdf")
scipy_skewcauchy_logpdf = lazy("scipy.stats.skewcauchy.logpdf")
scipy_skewnorm_logpdf = lazy("scipy.stats.skewnorm.logpdf")
scipy_t_logpdf = lazy("scipy.stats.t.logpdf")
scipy_triang_logpdf = lazy("scipy.stats.triang.logpdf")
scipy_truncexpon_logpdf = lazy("scipy.stats.truncexpon.logpdf")
scipy_truncnorm_cdf = lazy("scipy.stats.truncnorm.cdf")
scipy_truncnorm_logpdf = lazy("scipy.stats.truncnorm.logpdf")
scipy_truncnorm_sf = lazy("scipy.stats.truncnorm.sf")
scipy_uniform_logpdf = lazy("scipy.stats.uniform.logpdf")
scipy_vonmises_logpdf = lazy("scipy.stats.vonmises.logpdf")
scipy_wald_logpdf = lazy("scipy.stats.wald.logpdf")
scipy_weibull_max_logpdf = lazy("scipy.stats.weibull_max.logpdf")
scipy_weibull_min_logpdf = lazy("scipy.stats.weibull_min.logpdf")
