//! Text within its budget: `max_chars` of an answer, shared so that short texts stay whole and long ones are cut
//! alike. Each cut is told, with the call that gets the rest.

use oaken_core::{Cut, Error, Result};
use serde_json::Value;

use super::next::next;
use super::walk::Text;
use crate::Gate;
use crate::call::Call;

/// Cuts the texts of an output and tells each cut.
pub(crate) fn cut(gate: &Gate, call: &Call, output: &mut Value, texts: Vec<Text>) -> Result<Vec<Cut>> {
    let budget = usize::try_from(call.grant.setting("max_chars")).unwrap_or(0);
    let wanted: Vec<usize> = texts
        .iter()
        .map(|t| if t.most > 0 { t.chars.min(t.most) } else { t.chars })
        .collect();
    let shown = share(&wanted, budget);
    let mut cuts = Vec::new();
    for (text, shown) in texts.into_iter().zip(shown) {
        if shown >= text.chars {
            continue;
        }
        let next = next(gate, call, output, &text.field, text.most == 0, shown);
        let Some(Value::String(s)) = output.pointer_mut(&text.field) else {
            return Err(Error::internal());
        };
        if let Some((end, _)) = s.char_indices().nth(shown) {
            s.truncate(end);
        }
        cuts.push(Cut {
            field: text.field,
            shown,
            of: text.chars,
            next,
        });
    }
    Ok(cuts)
}

/// What each text gets of a budget: all it wants where that is less than an equal share of what is left.
fn share(wanted: &[usize], budget: usize) -> Vec<usize> {
    if wanted.iter().sum::<usize>() <= budget {
        return wanted.to_vec();
    }
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&n| wanted[n]);
    let mut shown = vec![0; wanted.len()];
    let mut left = budget;
    for (done, n) in order.into_iter().enumerate() {
        let part = left / (wanted.len() - done);
        shown[n] = wanted[n].min(part);
        left -= shown[n];
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &[usize], budget: usize, expected: &[usize]) {
        assert_eq!(share(wanted, budget), expected);
    }

    #[test]
    fn short_texts_stay_whole_and_long_ones_are_cut_alike() {
        check(&[10, 20, 30], 100, &[10, 20, 30]);
        check(&[10, 1000, 1000], 110, &[10, 50, 50]);
        check(&[1000, 10, 60, 1000], 170, &[53, 10, 53, 54]);
        check(&[5, 5], 0, &[0, 0]);
        check(&[7], 3, &[3]);
        check(&[], 3, &[]);
    }
}
