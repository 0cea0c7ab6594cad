import { colors, font, wrapAnywhere } from './mail-styles.ts'

/** A table of labels and values. */
export function MailFacts({ rows }: { rows: [label: string, value: string][] }) {
  return (
    <table
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ margin: '4px 0 22px', borderCollapse: 'separate' }}
    >
      <tbody>
        {rows.map(([label, value], index) => {
          const border = index === 0 ? undefined : { borderTop: `1px solid ${colors.line}` }
          return (
            <tr key={label}>
              <th
                scope="row"
                align="left"
                className="m-soft m-row"
                style={{
                  ...font,
                  ...border,
                  width: '40%',
                  padding: '11px 12px 11px 0',
                  color: colors.soft,
                  fontSize: '15px',
                  lineHeight: '21px',
                  fontWeight: 400,
                  verticalAlign: 'top',
                }}
              >
                {label}
              </th>
              <td
                align="right"
                className="m-text m-row"
                style={{
                  ...font,
                  ...wrapAnywhere,
                  ...border,
                  padding: '11px 0',
                  color: colors.text,
                  fontSize: '15px',
                  lineHeight: '21px',
                  fontWeight: 650,
                  verticalAlign: 'top',
                }}
              >
                {value}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
