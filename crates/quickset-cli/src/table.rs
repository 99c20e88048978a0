//! Tables without lines, for people.

use std::ops::Range;

use comfy_table::{CellAlignment, Table, presets};

/// An empty table; the columns in `right` hold numbers and are aligned at their ends.
pub fn table<const N: usize>(header: [&str; N], right: Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        // The space between columns stands behind them, so that lines begin at the margin.
        column.set_padding((0, 2));
        if right.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
