import { useId, useState } from 'react'
import { TabPanel } from '#web/ui/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

interface Props {
  /** Where the mail is as a document. */
  src: string
  text: string
}

const views = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
  { value: 'text', label: 'Plain text' },
] as const

/** A mail as a mail program shows it, on a desk and on a phone, and as its plain text. Nothing in the frame can run or be followed. */
export function LetterView({ src, text }: Props) {
  const id = useId()
  const [view, setView] = useState<(typeof views)[number]['value']>('desktop')
  return (
    <div className="letter">
      <Tabs id={id} label="How to show it" look="pills" tabs={views} value={view} onChange={setView} />
      <TabPanel id={id} value={view} className="mt-3">
        {view === 'text' ? (
          <pre className="letter-text">{text}</pre>
        ) : (
          <iframe
            key={view}
            src={src}
            title="The mail as its reader sees it"
            sandbox=""
            className={view === 'phone' ? 'letter-frame letter-phone' : 'letter-frame'}
          />
        )}
      </TabPanel>
    </div>
  )
}
