/** Explicit ARIA roles: below 640 px the table parts are laid out as blocks, and `display: block` removes their implicit roles. */
export const roles = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
