"""The logarithms of scipy.stats' densities for generated code; SciPy is imported at the first
call."""

from __future__ import annotations

from s2sgrad_runtime.scipy_helpers import lazy

__all__ = [
    "scipy_alpha_logpdf",
    "scipy_anglit_logpdf",
    "scipy_arcsine_logpdf",
    "scipy_argus_logpdf",
    "scipy_beta_logpdf",
    "scipy_betaprime_logpdf",
    "scipy_bradford_logpdf",
    "scipy_burr12_logpdf",
    "scipy_burr_logpdf",
    "scipy_cauchy_logpdf",
    "scipy_chi2_logpdf",
    "scipy_chi_logpdf",
    "scipy_cosine_logpdf",
    "scipy_crystalball_logpdf",
    "scipy_dgamma_logpdf",
    "scipy_dpareto_lognorm_logpdf",
    "scipy_dweibull_logpdf",
    "scipy_erlang_logpdf",
    "scipy_expon_logpdf",
    "scipy_exponnorm_logpdf",
    "scipy_exponpow_logpdf",
    "scipy_exponweib_logpdf",
    "scipy_f_logpdf",
    "scipy_fatiguelife_logpdf",
    "scipy_fisk_logpdf",
    "scipy_foldcauchy_logpdf",
    "scipy_foldnorm_logpdf",
    "scipy_gamma_logpdf",
    "scipy_genexpon_logpdf",
    "scipy_genextreme_logpdf",
    "scipy_gengamma_logpdf",
    "scipy_genhalflogistic_logpdf",
    "scipy_genhyperbolic_logpdf",
    "scipy_geninvgauss_logpdf",
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
    "scipy_irwinhall_logpdf",
    "scipy_jf_skew_t_logpdf",
    "scipy_johnsonsb_logpdf",
    "scipy_johnsonsu_logpdf",
    "scipy_kappa3_logpdf",
    "scipy_kappa4_logpdf",
    "scipy_ksone_logpdf",
    "scipy_kstwo_logpdf",
    "scipy_kstwobign_logpdf",
    "scipy_landau_logpdf",
    "scipy_laplace_asymmetric_logpdf",
    "scipy_laplace_logpdf",
    "scipy_levy_l_logpdf",
    "scipy_levy_logpdf",
    "scipy_levy_stable_logpdf",
    "scipy_loggamma_logpdf",
    "scipy_logistic_logpdf",
    "scipy_loglaplace_logpdf",
    "scipy_lognorm_logpdf",
    "scipy_loguniform_logpdf",
    "scipy_lomax_logpdf",
    "scipy_maxwell_logpdf",
    "scipy_mielke_logpdf",
    "scipy_moyal_logpdf",
    "scipy_nakagami_logpdf",
    "scipy_ncf_logpdf",
    "scipy_nct_logpdf",
    "scipy_ncx2_logpdf",
    "scipy_norm_logpdf",
    "scipy_norminvgauss_logpdf",
    "scipy_pareto_logpdf",
    "scipy_pearson3_logpdf",
    "scipy_powerlaw_logpdf",
    "scipy_powerlognorm_logpdf",
    "scipy_powernorm_logpdf",
    "scipy_rayleigh_logpdf",
    "scipy_rdist_logpdf",
    "scipy_recipinvgauss_logpdf",
    "scipy_reciprocal_logpdf",
    "scipy_rel_breitwigner_logpdf",
    "scipy_rice_logpdf",
    "scipy_semicircular_logpdf",
    "scipy_skewcauchy_logpdf",
    "scipy_skewnorm_logpdf",
    "scipy_studentized_range_logpdf",
    "scipy_t_logpdf",
    "scipy_trapezoid_logpdf",
    "scipy_triang_logpdf",
    "scipy_truncexpon_logpdf",
    "scipy_truncnorm_cdf",
    "scipy_truncnorm_logpdf",
    "scipy_truncnorm_sf",
    "scipy_truncpareto_logpdf",
    "scipy_truncweibull_min_logpdf",
    "scipy_tukeylambda_logpdf",
    "scipy_uniform_logpdf",
    "scipy_vonmises_line_logpdf",
    "scipy_vonmises_logpdf",
    "scipy_wald_logpdf",
    "scipy_weibull_max_logpdf",
    "scipy_weibull_min_logpdf",
    "scipy_wrapcauchy_logpdf",
]

scipy_alpha_logpdf = lazy("scipy.stats.alpha.logpdf")
scipy_anglit_logpdf = lazy("scipy.stats.anglit.logpdf")
scipy_arcsine_logpdf = lazy("scipy.stats.arcsine.logpdf")
scipy_argus_logpdf = lazy("scipy.stats.argus.logpdf")
scipy_beta_logpdf = lazy("scipy.stats.beta.logpdf")
scipy_betaprime_logpdf = lazy("scipy.stats.betaprime.logpdf")
scipy_bradford_logpdf = lazy("scipy.stats.bradford.logpdf")
scipy_burr12_logpdf = lazy("scipy.stats.burr12.logpdf")
scipy_burr_logpdf = lazy("scipy.stats.burr.logpdf")
scipy_cauchy_logpdf = lazy("scipy.stats.cauchy.logpdf")
scipy_chi2_logpdf = lazy("scipy.stats.chi2.logpdf")
scipy_chi_logpdf = lazy("scipy.stats.chi.logpdf")
scipy_cosine_logpdf = lazy("scipy.stats.cosine.logpdf")
scipy_crystalball_logpdf = lazy("scipy.stats.crystalball.logpdf")
scipy_dgamma_logpdf = lazy("scipy.stats.dgamma.logpdf")
scipy_dpareto_lognorm_logpdf = lazy("scipy.stats.dpareto_lognorm.logpdf")
scipy_dweibull_logpdf = lazy("scipy.stats.dweibull.logpdf")
scipy_erlang_logpdf = lazy("scipy.stats.erlang.logpdf")
scipy_expon_logpdf = lazy("scipy.stats.expon.logpdf")
scipy_exponnorm_logpdf = lazy("scipy.stats.exponnorm.logpdf")
scipy_exponpow_logpdf = lazy("scipy.stats.exponpow.logpdf")
scipy_exponweib_logpdf = lazy("scipy.stats.exponweib.logpdf")
scipy_f_logpdf = lazy("scipy.stats.f.logpdf")
scipy_fatiguelife_logpdf = lazy("scipy.stats.fatiguelife.logpdf")
scipy_fisk_logpdf = lazy("scipy.stats.fisk.logpdf")
scipy_foldcauchy_logpdf = lazy("scipy.stats.foldcauchy.logpdf")
scipy_foldnorm_logpdf = lazy("scipy.stats.foldnorm.logpdf")
scipy_gamma_logpdf = lazy("scipy.stats.gamma.logpdf")
scipy_genexpon_logpdf = lazy("scipy.stats.genexpon.logpdf")
scipy_genextreme_logpdf = lazy("scipy.stats.genextreme.logpdf")
scipy_gengamma_logpdf = lazy("scipy.stats.gengamma.logpdf")
scipy_genhalflogistic_logpdf = lazy("scipy.stats.genhalflogistic.logpdf")
scipy_genhyperbolic_logpdf = lazy("scipy.stats.genhyperbolic.logpdf")
scipy_geninvgauss_logpdf = lazy("scipy.stats.geninvgauss.logpdf")
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
scipy_irwinhall_logpdf = lazy("scipy.stats.irwinhall.logpdf")
scipy_jf_skew_t_logpdf = lazy("scipy.stats.jf_skew_t.logpdf")
scipy_johnsonsb_logpdf = lazy("scipy.stats.johnsonsb.logpdf")
scipy_johnsonsu_logpdf = lazy("scipy.stats.johnsonsu.logpdf")
scipy_kappa3_logpdf = lazy("scipy.stats.kappa3.logpdf")
scipy_kappa4_logpdf = lazy("scipy.stats.kappa4.logpdf")
scipy_ksone_logpdf = lazy("scipy.stats.ksone.logpdf")
scipy_kstwo_logpdf = lazy("scipy.stats.kstwo.logpdf")
scipy_kstwobign_logpdf = lazy("scipy.stats.kstwobign.logpdf")
scipy_landau_logpdf = lazy("scipy.stats.landau.logpdf")
scipy_laplace_asymmetric_logpdf = lazy("scipy.stats.laplace_asymmetric.logpdf")
scipy_laplace_logpdf = lazy("scipy.stats.laplace.logpdf")
scipy_levy_l_logpdf = lazy("scipy.stats.levy_l.logpdf")
scipy_levy_logpdf = lazy("scipy.stats.levy.logpdf")
scipy_levy_stable_logpdf = lazy("scipy.stats.levy_stable.logpdf")
scipy_loggamma_logpdf = lazy("scipy.stats.loggamma.logpdf")
scipy_logistic_logpdf = lazy("scipy.stats.logistic.logpdf")
scipy_loglaplace_logpdf = lazy("scipy.stats.loglaplace.logpdf")
scipy_lognorm_logpdf = lazy("scipy.stats.lognorm.logpdf")
scipy_loguniform_logpdf = lazy("scipy.stats.loguniform.logpdf")
scipy_lomax_logpdf = lazy("scipy.stats.lomax.logpdf")
scipy_maxwell_logpdf = lazy("scipy.stats.maxwell.logpdf")
scipy_mielke_logpdf = lazy("scipy.stats.mielke.logpdf")
scipy_moyal_logpdf = lazy("scipy.stats.moyal.logpdf")
scipy_nakagami_logpdf = lazy("scipy.stats.nakagami.logpdf")
scipy_ncf_logpdf = lazy("scipy.stats.ncf.logpdf")
scipy_nct_logpdf = lazy("scipy.stats.nct.logpdf")
scipy_ncx2_logpdf = lazy("scipy.stats.ncx2.logpdf")
scipy_norm_logpdf = lazy("scipy.stats.norm.logpdf")
scipy_norminvgauss_logpdf = lazy("scipy.stats.norminvgauss.logpdf")
scipy_pareto_logpdf = lazy("scipy.stats.pareto.logpdf")
scipy_pearson3_logpdf = lazy("scipy.stats.pearson3.logpdf")
scipy_powerlaw_logpdf = lazy("scipy.stats.powerlaw.logpdf")
scipy_powerlognorm_logpdf = lazy("scipy.stats.powerlognorm.logpdf")
scipy_powernorm_logpdf = lazy("scipy.stats.powernorm.logpdf")
scipy_rayleigh_logpdf = lazy("scipy.stats.rayleigh.logpdf")
scipy_rdist_logpdf = lazy("scipy.stats.rdist.logpdf")
scipy_recipinvgauss_logpdf = lazy("scipy.stats.recipinvgauss.logpdf")
scipy_reciprocal_logpdf = lazy("scipy.stats.reciprocal.logpdf")
scipy_rel_breitwigner_logpdf = lazy("scipy.stats.rel_breitwigner.logpdf")
scipy_rice_logpdf = lazy("scipy.stats.rice.logpdf")
scipy_semicircular_logpdf = lazy("scipy.stats.semicircular.logpdf")
scipy_skewcauchy_logpdf = lazy("scipy.stats.skewcauchy.logpdf")
scipy_skewnorm_logpdf = lazy("scipy.stats.skewnorm.logpdf")
scipy_studentized_range_logpdf = lazy("scipy.stats.studentized_range.logpdf")
scipy_t_logpdf = lazy("scipy.stats.t.logpdf")
scipy_trapezoid_logpdf = lazy("scipy.stats.trapezoid.logpdf")
scipy_triang_logpdf = lazy("scipy.stats.triang.logpdf")
scipy_truncexpon_logpdf = lazy("scipy.stats.truncexpon.logpdf")
scipy_truncnorm_cdf = lazy("scipy.stats.truncnorm.cdf")
scipy_truncnorm_logpdf = lazy("scipy.stats.truncnorm.logpdf")
scipy_truncnorm_sf = lazy("scipy.stats.truncnorm.sf")
scipy_truncpareto_logpdf = lazy("scipy.stats.truncpareto.logpdf")
scipy_truncweibull_min_logpdf = lazy("scipy.stats.truncweibull_min.logpdf")
scipy_tukeylambda_logpdf = lazy("scipy.stats.tukeylambda.logpdf")
scipy_uniform_logpdf = lazy("scipy.stats.uniform.logpdf")
scipy_vonmises_line_logpdf = lazy("scipy.stats.vonmises_line.logpdf")
scipy_vonmises_logpdf = lazy("scipy.stats.vonmises.logpdf")
scipy_wald_logpdf = lazy("scipy.stats.wald.logpdf")
scipy_weibull_max_logpdf = lazy("scipy.stats.weibull_max.logpdf")
scipy_weibull_min_logpdf = lazy("scipy.stats.weibull_min.logpdf")
scipy_wrapcauchy_logpdf = lazy("scipy.stats.wrapcauchy.logpdf")
