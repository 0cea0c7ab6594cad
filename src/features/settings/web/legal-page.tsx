import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { getLegalText, type LegalDocument } from '../contract.ts'
import { legalTitles, textBlocks } from '../rules.ts'

/** The operator's legal text whose name is the page's address. */
export function LegalPage() {
  const document = useLocation({ select: ({ pathname }) => pathname.slice(1) as LegalDocument })
  const { data } = useSuspenseQuery(query(getLegalText, { params: { document } }))
  return (
    <section className="section">
      <div className="wrap wrap-text">
        <PageHeader title={legalTitles[document]} />
        <div className="prose">
          {textBlocks(data.text).map((block, index) => {
            const key = `${index}-${block.kind}`
            if (block.kind === 'list')
              return (
                <ul key={key}>
                  {block.items.map((item) => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
              )
            return block.kind === 'heading' ? <h2 key={key}>{block.text}</h2> : <p key={key}>{block.text}</p>
          })}
        </div>
      </div>
    </section>
  )
}
