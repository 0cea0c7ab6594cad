import { ChevronDown } from 'lucide-react'
import type { Faq } from '../contract.ts'

/**
 * Questions that open one at a time without scripts. The link `#q-7` opens question 7, because browsers open the `<details>` that contains the target
 * of a link.
 */
export function FaqList({ faqs, group = 'faq' }: { faqs: Pick<Faq, 'id' | 'question' | 'answer'>[]; group?: string }) {
  return (
    <div className="faqs">
      {faqs.map(({ id, question, answer }) => (
        <details key={id} name={group} className="faq">
          <summary>
            <h3>{question}</h3>
            <ChevronDown size={20} />
          </summary>
          <div id={`${group === 'faq' ? 'q' : group}-${id}`} className="faq-answer">
            <p>{answer}</p>
          </div>
        </details>
      ))}
    </div>
  )
}
