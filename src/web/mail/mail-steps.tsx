import { LayoutTable } from './layout-table.tsx'
import { colors, paragraph } from './mail-styles.ts'

/** A numbered list of steps. */
export function MailSteps({ items }: { items: string[] }) {
  return (
    <LayoutTable style={{ margin: '4px 0 16px' }}>
      {items.map((item, index) => (
        <tr key={item}>
          <td width="40" valign="top" style={{ paddingBottom: '14px' }}>
            <div
              className="m-plain"
              style={{
                ...paragraph,
                width: '27px',
                background: colors.plain,
                border: `1px solid ${colors.line}`,
                borderRadius: '14px',
                fontSize: '14px',
                lineHeight: '27px',
                fontWeight: 700,
                textAlign: 'center',
              }}
            >
              {index + 1}
            </div>
          </td>
          <td className="m-text" valign="top" style={{ ...paragraph, paddingBottom: '14px', paddingTop: '2px' }}>
            {item}
          </td>
        </tr>
      ))}
    </LayoutTable>
  )
}
