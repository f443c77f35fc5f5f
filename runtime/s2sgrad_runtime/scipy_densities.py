"""The densities of scipy.stats for generated code; SciPy is imported at the first call."""

from __future__ import annotations

from s2sgrad_runtime.scipy_helpers import lazy

__all__ = [
    "scipy_alpha_pdf",
    "scipy_anglit_pdf",
    "scipy_arcsine_pdf",
    "scipy_argus_pdf",
    "scipy_argus_sf",
    "scipy_beta_pdf",
    "scipy_betaprime_pdf",
    "scipy_bradford_pdf",
    "scipy_burr12_pdf",
    "scipy_burr_pdf",
    "scipy_cauchy_pdf",
    "scipy_chi2_pdf",
    "scipy_chi_pdf",
    "scipy_cosine_pdf",
    "scipy_crystalball_pdf",
    "scipy_dgamma_pdf",
    "scipy_dpareto_lognorm_pdf",
    "scipy_dweibull_pdf",
    "scipy_erlang_pdf",
    "scipy_expon_pdf",
    "scipy_exponnorm_pdf",
    "scipy_exponpow_pdf",
    "scipy_exponweib_pdf",
    "scipy_f_pdf",
    "scipy_fatiguelife_pdf",
    "scipy_fisk_pdf",
    "scipy_foldcauchy_pdf",
    "scipy_foldnorm_pdf",
    "scipy_gamma_pdf",
    "scipy_genexpon_pdf",
    "scipy_genextreme_pdf",
    "scipy_gengamma_pdf",
    "scipy_genhalflogistic_pdf",
    "scipy_genhyperbolic_pdf",
    "scipy_geninvgauss_pdf",
    "scipy_genlogistic_pdf",
    "scipy_gennorm_pdf",
    "scipy_genpareto_pdf",
    "scipy_gibrat_pdf",
    "scipy_gompertz_pdf",
    "scipy_gumbel_l_pdf",
    "scipy_gumbel_r_pdf",
    "scipy_halfcauchy_pdf",
    "scipy_halfgennorm_pdf",
    "scipy_halflogistic_pdf",
    "scipy_halfnorm_pdf",
    "scipy_hypsecant_pdf",
    "scipy_invgamma_pdf",
    "scipy_invgauss_pdf",
    "scipy_invweibull_pdf",
    "scipy_irwinhall_pdf",
    "scipy_jf_skew_t_pdf",
    "scipy_johnsonsb_pdf",
    "scipy_johnsonsu_pdf",
    "scipy_kappa3_pdf",
    "scipy_kappa4_pdf",
    "scipy_ksone_pdf",
    "scipy_kstwo_pdf",
    "scipy_kstwobign_pdf",
    "scipy_landau_pdf",
    "scipy_laplace_asymmetric_pdf",
    "scipy_laplace_pdf",
    "scipy_levy_l_pdf",
    "scipy_levy_pdf",
    "scipy_levy_stable_pdf",
    "scipy_loggamma_pdf",
    "scipy_logistic_pdf",
    "scipy_loglaplace_pdf",
    "scipy_lognorm_pdf",
    "scipy_loguniform_pdf",
    "scipy_lomax_pdf",
    "scipy_maxwell_pdf",
    "scipy_mielke_pdf",
    "scipy_moyal_pdf",
    "scipy_nakagami_pdf",
    "scipy_ncf_cdf",
    "scipy_ncf_pdf",
    "scipy_nct_pdf",
    "scipy_ncx2_pdf",
    "scipy_norm_pdf",
    "scipy_norminvgauss_pdf",
    "scipy_pareto_pdf",
    "scipy_pearson3_pdf",
    "scipy_powerlaw_pdf",
    "scipy_powerlognorm_pdf",
    "scipy_powernorm_pdf",
    "scipy_rayleigh_pdf",
    "scipy_rdist_pdf",
    "scipy_recipinvgauss_pdf",
    "scipy_reciprocal_pdf",
    "scipy_rel_breitwigner_pdf",
    "scipy_rice_pdf",
    "scipy_semicircular_pdf",
    "scipy_skewcauchy_pdf",
    "scipy_skewnorm_pdf",
    "scipy_studentized_range_pdf",
    "scipy_t_pdf",
    "scipy_trapezoid_pdf",
    "scipy_triang_pdf",
    "scipy_truncexpon_pdf",
    "scipy_truncnorm_cdf",
    "scipy_truncnorm_pdf",
    "scipy_truncnorm_sf",
    "scipy_truncpareto_pdf",
    "scipy_truncweibull_min_pdf",
    "scipy_tukeylambda_cdf",
    "scipy_tukeylambda_pdf",
    "scipy_uniform_pdf",
    "scipy_vonmises_line_pdf",
    "scipy_vonmises_pdf",
    "scipy_wald_pdf",
    "scipy_weibull_max_pdf",
    "scipy_weibull_min_pdf",
    "scipy_wrapcauchy_pdf",
]

scipy_alpha_pdf = lazy("scipy.stats.alpha.pdf")
scipy_anglit_pdf = lazy("scipy.stats.anglit.pdf")
scipy_arcsine_pdf = lazy("scipy.stats.arcsine.pdf")
scipy_argus_pdf = lazy("scipy.stats.argus.pdf")
scipy_argus_sf = lazy("scipy.stats.argus.sf")
scipy_beta_pdf = lazy("scipy.stats.beta.pdf")
scipy_betaprime_pdf = lazy("scipy.stats.betaprime.pdf")
scipy_bradford_pdf = lazy("scipy.stats.bradford.pdf")
scipy_burr12_pdf = lazy("scipy.stats.burr12.pdf")
scipy_burr_pdf = lazy("scipy.stats.burr.pdf")
scipy_cauchy_pdf = lazy("scipy.stats.cauchy.pdf")
scipy_chi2_pdf = lazy("scipy.stats.chi2.pdf")
scipy_chi_pdf = lazy("scipy.stats.chi.pdf")
scipy_cosine_pdf = lazy("scipy.stats.cosine.pdf")
scipy_crystalball_pdf = lazy("scipy.stats.crystalball.pdf")
scipy_dgamma_pdf = lazy("scipy.stats.dgamma.pdf")
scipy_dpareto_lognorm_pdf = lazy("scipy.stats.dpareto_lognorm.pdf")
scipy_dweibull_pdf = lazy("scipy.stats.dweibull.pdf")
scipy_erlang_pdf = lazy("scipy.stats.erlang.pdf")
scipy_expon_pdf = lazy("scipy.stats.expon.pdf")
scipy_exponnorm_pdf = lazy("scipy.stats.exponnorm.pdf")
scipy_exponpow_pdf = lazy("scipy.stats.exponpow.pdf")
scipy_exponweib_pdf = lazy("scipy.stats.exponweib.pdf")
scipy_f_pdf = lazy("scipy.stats.f.pdf")
scipy_fatiguelife_pdf = lazy("scipy.stats.fatiguelife.pdf")
scipy_fisk_pdf = lazy("scipy.stats.fisk.pdf")
scipy_foldcauchy_pdf = lazy("scipy.stats.foldcauchy.pdf")
scipy_foldnorm_pdf = lazy("scipy.stats.foldnorm.pdf")
scipy_gamma_pdf = lazy("scipy.stats.gamma.pdf")
scipy_genexpon_pdf = lazy("scipy.stats.genexpon.pdf")
scipy_genextreme_pdf = lazy("scipy.stats.genextreme.pdf")
scipy_gengamma_pdf = lazy("scipy.stats.gengamma.pdf")
scipy_genhalflogistic_pdf = lazy("scipy.stats.genhalflogistic.pdf")
scipy_genhyperbolic_pdf = lazy("scipy.stats.genhyperbolic.pdf")
scipy_geninvgauss_pdf = lazy("scipy.stats.geninvgauss.pdf")
scipy_genlogistic_pdf = lazy("scipy.stats.genlogistic.pdf")
scipy_gennorm_pdf = lazy("scipy.stats.gennorm.pdf")
scipy_genpareto_pdf = lazy("scipy.stats.genpareto.pdf")
scipy_gibrat_pdf = lazy("scipy.stats.gibrat.pdf")
scipy_gompertz_pdf = lazy("scipy.stats.gompertz.pdf")
scipy_gumbel_l_pdf = lazy("scipy.stats.gumbel_l.pdf")
scipy_gumbel_r_pdf = lazy("scipy.stats.gumbel_r.pdf")
scipy_halfcauchy_pdf = lazy("scipy.stats.halfcauchy.pdf")
scipy_halfgennorm_pdf = lazy("scipy.stats.halfgennorm.pdf")
scipy_halflogistic_pdf = lazy("scipy.stats.halflogistic.pdf")
scipy_halfnorm_pdf = lazy("scipy.stats.halfnorm.pdf")
scipy_hypsecant_pdf = lazy("scipy.stats.hypsecant.pdf")
scipy_invgamma_pdf = lazy("scipy.stats.invgamma.pdf")
scipy_invgauss_pdf = lazy("scipy.stats.invgauss.pdf")
scipy_invweibull_pdf = lazy("scipy.stats.invweibull.pdf")
scipy_irwinhall_pdf = lazy("scipy.stats.irwinhall.pdf")
scipy_jf_skew_t_pdf = lazy("scipy.stats.jf_skew_t.pdf")
scipy_johnsonsb_pdf = lazy("scipy.stats.johnsonsb.pdf")
scipy_johnsonsu_pdf = lazy("scipy.stats.johnsonsu.pdf")
scipy_kappa3_pdf = lazy("scipy.stats.kappa3.pdf")
scipy_kappa4_pdf = lazy("scipy.stats.kappa4.pdf")
scipy_ksone_pdf = lazy("scipy.stats.ksone.pdf")
scipy_kstwo_pdf = lazy("scipy.stats.kstwo.pdf")
scipy_kstwobign_pdf = lazy("scipy.stats.kstwobign.pdf")
scipy_landau_pdf = lazy("scipy.stats.landau.pdf")
scipy_laplace_asymmetric_pdf = lazy("scipy.stats.laplace_asymmetric.pdf")
scipy_laplace_pdf = lazy("scipy.stats.laplace.pdf")
scipy_levy_l_pdf = lazy("scipy.stats.levy_l.pdf")
scipy_levy_pdf = lazy("scipy.stats.levy.pdf")
scipy_levy_stable_pdf = lazy("scipy.stats.levy_stable.pdf")
scipy_loggamma_pdf = lazy("scipy.stats.loggamma.pdf")
scipy_logistic_pdf = lazy("scipy.stats.logistic.pdf")
scipy_loglaplace_pdf = lazy("scipy.stats.loglaplace.pdf")
scipy_lognorm_pdf = lazy("scipy.stats.lognorm.pdf")
scipy_loguniform_pdf = lazy("scipy.stats.loguniform.pdf")
scipy_lomax_pdf = lazy("scipy.stats.lomax.pdf")
scipy_maxwell_pdf = lazy("scipy.stats.maxwell.pdf")
scipy_mielke_pdf = lazy("scipy.stats.mielke.pdf")
scipy_moyal_pdf = lazy("scipy.stats.moyal.pdf")
scipy_nakagami_pdf = lazy("scipy.stats.nakagami.pdf")
scipy_ncf_cdf = lazy("scipy.stats.ncf.cdf")
scipy_ncf_pdf = lazy("scipy.stats.ncf.pdf")
scipy_nct_pdf = lazy("scipy.stats.nct.pdf")
scipy_ncx2_pdf = lazy("scipy.stats.ncx2.pdf")
scipy_norm_pdf = lazy("scipy.stats.norm.pdf")
scipy_norminvgauss_pdf = lazy("scipy.stats.norminvgauss.pdf")
scipy_pareto_pdf = lazy("scipy.stats.pareto.pdf")
scipy_pearson3_pdf = lazy("scipy.stats.pearson3.pdf")
scipy_powerlaw_pdf = lazy("scipy.stats.powerlaw.pdf")
scipy_powerlognorm_pdf = lazy("scipy.stats.powerlognorm.pdf")
scipy_powernorm_pdf = lazy("scipy.stats.powernorm.pdf")
scipy_rayleigh_pdf = lazy("scipy.stats.rayleigh.pdf")
scipy_rdist_pdf = lazy("scipy.stats.rdist.pdf")
scipy_recipinvgauss_pdf = lazy("scipy.stats.recipinvgauss.pdf")
scipy_reciprocal_pdf = lazy("scipy.stats.reciprocal.pdf")
scipy_rel_breitwigner_pdf = lazy("scipy.stats.rel_breitwigner.pdf")
scipy_rice_pdf = lazy("scipy.stats.rice.pdf")
scipy_semicircular_pdf = lazy("scipy.stats.semicircular.pdf")
scipy_skewcauchy_pdf = lazy("scipy.stats.skewcauchy.pdf")
scipy_skewnorm_pdf = lazy("scipy.stats.skewnorm.pdf")
scipy_studentized_range_pdf = lazy("scipy.stats.studentized_range.pdf")
scipy_t_pdf = lazy("scipy.stats.t.pdf")
scipy_trapezoid_pdf = lazy("scipy.stats.trapezoid.pdf")
scipy_triang_pdf = lazy("scipy.stats.triang.pdf")
scipy_truncexpon_pdf = lazy("scipy.stats.truncexpon.pdf")
scipy_truncnorm_cdf = lazy("scipy.stats.truncnorm.cdf")
scipy_truncnorm_pdf = lazy("scipy.stats.truncnorm.pdf")
scipy_truncnorm_sf = lazy("scipy.stats.truncnorm.sf")
scipy_truncpareto_pdf = lazy("scipy.stats.truncpareto.pdf")
scipy_truncweibull_min_pdf = lazy("scipy.stats.truncweibull_min.pdf")
scipy_tukeylambda_cdf = lazy("scipy.stats.tukeylambda.cdf")
scipy_tukeylambda_pdf = lazy("scipy.stats.tukeylambda.pdf")
scipy_uniform_pdf = lazy("scipy.stats.uniform.pdf")
scipy_vonmises_line_pdf = lazy("scipy.stats.vonmises_line.pdf")
scipy_vonmises_pdf = lazy("scipy.stats.vonmises.pdf")
scipy_wald_pdf = lazy("scipy.stats.wald.pdf")
scipy_weibull_max_pdf = lazy("scipy.stats.weibull_max.pdf")
scipy_weibull_min_pdf = lazy("scipy.stats.weibull_min.pdf")
scipy_wrapcauchy_pdf = lazy("scipy.stats.wrapcauchy.pdf")
