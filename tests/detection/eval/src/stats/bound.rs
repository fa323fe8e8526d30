//! Confidence bounds of a share, from clusters such as people or families.

use super::{float, share};
use voight_domain::verdict::share_upper_bound;

/// Sample of one person or family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SampleCluster {
    /// Number of observations.
    pub n: usize,
    /// Number of hits among them.
    pub hits: usize,
}

/// Returns the one-sided 95 % upper bound of a share by Clopper and Pearson.
///
/// The sample size is divided by the design effect of the clusters. Without hits the effect is unknown, so each cluster counts
/// as
/// one. `None` without observations.
pub fn upper_bound(clusters: &[SampleCluster]) -> Option<f64> {
    let observed_clusters: Vec<SampleCluster> = clusters
        .iter()
        .copied()
        .filter(|cluster| cluster.n > 0)
        .collect();
    let n = float(observed_clusters.iter().map(|cluster| cluster.n).sum());
    let hits = float(observed_clusters.iter().map(|cluster| cluster.hits).sum());
    if observed_clusters.is_empty() {
        return None;
    }
    let effective = if hits > 0.0 {
        n / design_effect(&observed_clusters, hits / n, n)
    } else {
        float(observed_clusters.len())
    };
    share_upper_bound(hits / n * effective, effective)
}

/// Returns the share of a desired outcome, and its one-sided 95 % lower bound.
pub fn lower_bound(clusters: &[SampleCluster]) -> (Option<f64>, Option<f64>) {
    let (hits, n) = totals(clusters);
    let missed_clusters: Vec<SampleCluster> = clusters
        .iter()
        .map(|cluster| SampleCluster {
            n: cluster.n,
            hits: cluster.n - cluster.hits,
        })
        .collect();
    (
        share(hits, n),
        upper_bound(&missed_clusters).map(|bound| 1.0 - bound),
    )
}

/// Returns the share of an unwanted outcome, and its one-sided 95 % upper bound.
pub fn upper_bound_of(clusters: &[SampleCluster]) -> (Option<f64>, Option<f64>) {
    let (hits, n) = totals(clusters);
    (share(hits, n), upper_bound(clusters))
}

fn totals(clusters: &[SampleCluster]) -> (usize, usize) {
    (
        clusters.iter().map(|cluster| cluster.hits).sum(),
        clusters.iter().map(|cluster| cluster.n).sum(),
    )
}

/// Returns the design effect: the variance of the share relative to independent sampling, at least 1.
fn design_effect(clusters: &[SampleCluster], share: f64, n: f64) -> f64 {
    let count = float(clusters.len());
    if count < 2.0 || share >= 1.0 {
        return 1.0;
    }
    let residual =
        |cluster: &SampleCluster| (float(cluster.hits) - share * float(cluster.n)).powi(2);
    let between = count / (count - 1.0) * clusters.iter().map(residual).sum::<f64>() / (n * n);
    (between / (share * (1.0 - share) / n)).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(all: &[(usize, usize)]) -> Vec<SampleCluster> {
        all.iter()
            .map(|(n, hits)| SampleCluster { n: *n, hits: *hits })
            .collect()
    }

    #[test]
    fn hits_of_one_person_widen_the_bound() {
        let even: Vec<_> = vec![(100, 1); 10];
        let mut uneven = vec![(100, 0); 9];
        uneven.push((100, 10));
        let even = upper_bound(&clusters(&even)).unwrap();
        let uneven = upper_bound(&clusters(&uneven)).unwrap();
        assert!(uneven > 1.5 * even, "{uneven} against {even}");
    }

    #[test]
    fn clusters_without_hits_count_once() {
        let bound_without_hits = upper_bound(&clusters(&[(1000, 0); 80])).unwrap();
        assert!(
            (bound_without_hits - 0.036_75).abs() < 1e-3,
            "{bound_without_hits}"
        );
        assert_eq!(upper_bound(&[]), None);
    }
}
