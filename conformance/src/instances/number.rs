//! Numbers.

use serde_json::{Number, Value};

use super::Generator;

const WHOLE: [i64; 12] = [0, 1, -1, 2, 7, 42, 100, 1_000, -250, 65_536, 4_294_967_296, 9_007_199_254_740_993];
const BROKEN: [f64; 6] = [0.5, -1.25, 3.75, 0.1, 1e-7, 12_345.678];

impl Generator<'_> {
    pub(super) fn number(&mut self, parts: &[&Value], whole: bool) -> Value {
        let bound = |key: &'static str| parts.iter().filter_map(move |p| p[key].as_f64());
        let over = |key: &str, other: &str| parts.iter().filter(|p| p[key] == true).filter_map(|p| p[other].as_f64()).collect::<Vec<f64>>();
        let mut low = bound("minimum").fold(f64::NEG_INFINITY, f64::max);
        let mut high = bound("maximum").fold(f64::INFINITY, f64::min);
        let step = if whole { 1.0 } else { 0.25 };
        for edge in bound("exclusiveMinimum").chain(over("exclusiveMinimum", "minimum")) {
            low = low.max(if whole { edge.floor() + 1.0 } else { edge + step });
        }
        for edge in bound("exclusiveMaximum").chain(over("exclusiveMaximum", "maximum")) {
            high = high.min(if whole { edge.ceil() - 1.0 } else { edge - step });
        }
        let multiple = parts.iter().filter_map(|p| p["multipleOf"].as_f64()).fold(0.0, f64::max);
        if low.is_infinite() && high.is_infinite() && multiple == 0.0 {
            return match self.rng.below(10) {
                0..=5 => self.rng.pick(&WHOLE).copied().unwrap_or_default().into(),
                // A whole number may be written with a point.
                6 if whole => 5.0.into(),
                _ if whole => (self.rng.below(50) as i64).into(),
                _ => self.rng.pick(&BROKEN).copied().unwrap_or_default().into(),
            };
        }
        let start = if low.is_finite() { low } else { (high - 40.0).min(0.0) };
        let end = if high.is_finite() { high } else { start + 40.0 };
        let mut value = match self.rng.below(4) {
            0 if low.is_finite() => low,
            1 if high.is_finite() => high,
            _ => start + (end - start) * self.rng.below(1_001) as f64 / 1_000.0,
        };
        if multiple > 0.0 {
            value = (value / multiple).floor() * multiple;
            if value < start {
                value += multiple;
            }
        }
        if whole {
            value = if value.floor() < start { value.ceil() } else { value.floor() };
        }
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return (value as i64).into();
        }
        Number::from_f64(value).map_or(Value::Null, Value::Number)
    }
}
