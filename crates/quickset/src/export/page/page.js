"use strict";
// Sorts a table by the column whose heading is pressed: rising first, then falling. Without this script the table is
// there all the same, so the buttons are made here.
(() => {
  const words = new Intl.Collator(undefined, { numeric: true });
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? null : Number(cell.dataset.key);
  };
  const compare = (column, figures) => (a, b) =>
    figures ? keyOf(a, column) - keyOf(b, column)
            : words.compare(a.cells[column].textContent, b.cells[column].textContent);
  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    headings.forEach((heading, column) => {
      const figures = heading.classList.contains("figure");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const falling = heading.getAttribute("aria-sort") === "ascending";
        for (const other of headings) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const known = [], unknown = [];
        for (const row of body.rows) {
          (figures && keyOf(row, column) === null ? unknown : known).push(row);
        }
        const order = compare(column, figures);
        // Sorting is stable either way: equal rows keep the order of the last sort.
        known.sort(falling ? (a, b) => order(b, a) : order);
        // What has no figure is last in both directions.
        body.append(...known, ...unknown);
      });
    });
  }
})();
