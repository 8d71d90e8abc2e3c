//! server
use app as _;
fn main() {}
