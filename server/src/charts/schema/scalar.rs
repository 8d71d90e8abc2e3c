//! What helm makes of a scalar: the rules of go-yaml v2, which sigs.k8s.io/yaml reads with. They are YAML 1.1 with exceptions:
//! `yes` is true, `0123` is 83, `1e3` is a number, a time stays a text, and there are no numbers to the base of 60.

use serde_json::{Number, Value};

/// Below this each whole number is one that a double can hold.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A scalar without quotation marks or tag.
pub fn plain(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Some(Value::Bool(true))
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Value::Bool(false))
        }
        // JSON has no such numbers, and helm refuses the text.
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf"
        | "-.Inf" | "-.INF" => None,
        _ => Some(number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number)),
    }
}

/// The number that a plain scalar is.
fn number(text: &str) -> Option<Number> {
    match text.as_bytes().first()? {
        b'.' => float(text),
        b'0'..=b'9' | b'+' | b'-' => {
            let text = text.replace('_', "");
            integer(&text).or_else(|| float(&text))
        }
        _ => None,
    }
}

/// A whole number as Go's `ParseInt` with base 0 and `ParseUint` read it.
fn integer(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, base) = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let size = u64::from_str_radix(digits, base).ok()?;
    if negative {
        return 0_i64.checked_sub_unsigned(size).map(|number| whole(number as f64, Number::from(number)));
    }
    Some(whole(size as f64, Number::from(size)))
}

/// go-yaml's `yamlStyleFloat`: more than JSON's numbers, less than Go's.
fn float(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_mantissa = digits(before) && digits(after) && (!before.is_empty() || !after.is_empty());
    let is_exponent = |text: &str| {
        let power = text.strip_prefix(['+', '-']).unwrap_or(text);
        !power.is_empty() && digits(power)
    };
    if !is_mantissa || !exponent.is_none_or(is_exponent) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    // What is too large for a double stays a text.
    value.is_finite().then_some(())?;
    if value.fract() == 0.0 && value.abs() < EXACT_MAX {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// Helm keeps each number as a double.
fn whole(rounded: f64, exact: Number) -> Number {
    if rounded.abs() < EXACT_MAX { exact } else { Number::from_f64(rounded).unwrap_or(exact) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scalar_is_what_helm_makes_of_it() {
        for (text, value) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("Null", json!(null)),
            ("nULL", json!("nULL")),
            ("yes", json!(true)),
            ("y", json!(true)),
            ("On", json!(true)),
            ("oN", json!("oN")),
            ("off", json!(false)),
            ("1", json!(1)),
            ("+1", json!(1)),
            ("-1", json!(-1)),
            ("1_000", json!(1000)),
            ("0123", json!(83)),
            ("-017", json!(-15)),
            ("08", json!(8)),
            ("0o17", json!(15)),
            ("0O17", json!(15)),
            ("0x1F", json!(31)),
            ("0b101", json!(5)),
            ("1e3", json!(1000)),
            ("1E+3", json!(1000)),
            ("1.0", json!(1)),
            ("1.", json!(1)),
            (".5", json!(0.5)),
            ("-.5", json!(-0.5)),
            ("1.5e-3", json!(0.0015)),
            ("1000000", json!(1_000_000)),
            ("9007199254740991", json!(9_007_199_254_740_991_u64)),
            ("9007199254740993", json!(9_007_199_254_740_992.0)),
            ("1e400", json!("1e400")),
            ("1:30", json!("1:30")),
            ("12e03", json!(12000)),
            ("1.2.3", json!("1.2.3")),
            ("1e", json!("1e")),
            ("0x", json!("0x")),
            ("09a", json!("09a")),
            (".", json!(".")),
            ("-", json!("-")),
            ("+", json!("+")),
            ("2026-11-30", json!("2026-11-30")),
            ("é1", json!("é1")),
            ("0é", json!("0é")),
            ("infinity", json!("infinity")),
            ("nan", json!("nan")),
        ] {
            assert_eq!(plain(text), Some(value), "{text}");
        }
        assert_eq!(plain(".nan"), None);
        assert_eq!(plain("-.Inf"), None);
    }
}
