//! Slipway. Reads arguments and wires; decides nothing.

use app as _;

fn main() {}
