//! Entries as those of large public indexes are, for tests and the benchmark.

use std::fmt::Write;

/// One version of 2 KB, as helm writes it.
pub fn entry(chart: usize, version: usize) -> String {
    let number = (chart * 1_000 + version) as u64;
    let mut text = String::new();
    // As good as any other digest for a reader: 64 digits, letters among them.
    let word = |salt: u64| {
        (number ^ salt)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let digest: String = (1..=4).map(|salt| format!("{:016x}", word(salt))).collect();
    let _ = write!(
        text,
        "  - annotations:\n      artifacthub.io/changes: |\n        - kind: changed\n          description: bump\n      \
         category: Database\n      images: |\n{images}    apiVersion: v2\n    appVersion: {chart}.{version}.0\n    \
         created: \"2026-01-02T03:04:05.{version:09}Z\"\n    dependencies:\n    - condition: common.enabled\n      \
         name: common\n      repository: oci://registry.example.org/charts\n      tags:\n      - shared-{chart}\n      \
         version: 2.x.x\n    description: Chart {chart} is a system for things that are stored, found again, and served to\n      \
         those who ask for them, version {version}.\n    digest: {digest}\n    home: https://example.org/{chart}\n    \
         icon: https://example.org/{chart}.svg\n    keywords:\n    - storage\n    - chart-{chart}\n    kubeVersion: '>=1.23.0-0'\n    \
         maintainers:\n    - name: Example\n      url: https://example.org\n    name: chart-{chart}\n    sources:\n    \
         - https://example.org/git/{chart}\n    type: application\n    urls:\n    \
         - https://charts.example.org/stable/chart-{chart}-{chart}.{version}.0.tgz\n    version: {chart}.{version}.0\n",
        images = "        - image: registry.example.org/library/something:1.2.3-debian-12-r4\n          name: something\n"
            .repeat(10),
    );
    text
}
