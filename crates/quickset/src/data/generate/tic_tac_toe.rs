//! Every position in which a game of tic-tac-toe can end when x begins; positive where x has won (Aha 1991).

use std::collections::BTreeSet;

use super::nominal;
use crate::data::Column;

const X: u8 = 0;
const O: u8 = 1;
const BLANK: u8 = 2;

/// Squares in reading order.
type Board = [u8; 9];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The 958 end positions: positive ones first, then x before o before blank in reading order.
pub(super) fn end_positions() -> Vec<Column> {
    let mut seen = BTreeSet::new();
    play([BLANK; 9], X, &mut seen);
    let mut ends: Vec<Board> = seen.into_iter().filter(is_over).collect();
    ends.sort_by_key(|board| !has_won(board, X));

    let mut columns = Vec::new();
    for (row, vertical) in ["top", "middle", "bottom"].into_iter().enumerate() {
        for (column, horizontal) in ["left", "middle", "right"].into_iter().enumerate() {
            let codes = ends.iter().map(|board| u32::from(board[3 * row + column])).collect();
            columns.push(nominal(&format!("{vertical}-{horizontal}-square"), &["x", "o", "b"], codes));
        }
    }
    let lost = ends.iter().map(|board| u32::from(!has_won(board, X))).collect();
    columns.push(nominal("class", &["positive", "negative"], lost));
    columns
}

/// Collects every position that legal play reaches from `board`.
fn play(board: Board, player: u8, seen: &mut BTreeSet<Board>) {
    if !seen.insert(board) || is_over(&board) {
        return;
    }
    for square in (0..9).filter(|&square| board[square] == BLANK) {
        let mut next = board;
        next[square] = player;
        play(next, if player == X { O } else { X }, seen);
    }
}

fn is_over(board: &Board) -> bool {
    !board.contains(&BLANK) || has_won(board, X) || has_won(board, O)
}

fn has_won(board: &Board, player: u8) -> bool {
    LINES.iter().any(|line| line.iter().all(|&square| board[square] == player))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_counts, levels_of, text};
    use crate::data::generate::builtin;

    #[test]
    fn there_are_958_end_positions_and_x_wins_626() {
        let data = builtin("tic-tac-toe").unwrap();
        assert_eq!(data.rows(), 958);
        assert_eq!(class_counts(&data), [626, 332]);
        assert_eq!(levels_of(&data, 9), ["positive", "negative"]);
        assert_eq!(data.attributes()[5].name(), "middle-right-square");
        let row = |row| (0..10).map(|at| text(&data.attributes()[at], row)).collect::<Vec<_>>().join(",");
        assert_eq!(row(0), "x,x,x,x,o,o,x,o,o,positive");
        // Who moved last is seen from the numbers of x and o: x after x has won, o after a game that o cut short.
        for row in (0..958).map(row) {
            let count = |mark| row.split(',').filter(|&cell| cell == mark).count();
            let last_was_x = row.ends_with("positive") || count("b") == 0;
            assert_eq!(count("x"), count("o") + usize::from(last_was_x), "{row}");
        }
    }
}
