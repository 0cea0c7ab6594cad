import { ink, paragraph } from './mail-look.ts'
import { TableMail } from './table-mail.tsx'

/** What to do, one after the other. */
export function StepsMail({ items }: { items: string[] }) {
  return (
    <TableMail style={{ margin: '4px 0 16px' }}>
      {items.map((item, index) => (
        <tr key={item}>
          <td width="40" valign="top" style={{ paddingBottom: '14px' }}>
            <div
              className="m-plain"
              style={{
                ...paragraph,
                width: '27px',
                background: ink.plain,
                border: `1px solid ${ink.line}`,
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
    </TableMail>
  )
}
