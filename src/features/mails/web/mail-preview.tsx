import { useId, useState } from 'react'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'

interface Props {
  /** URL of the email as an HTML document. */
  src: string
  text: string
}

const views = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
  { value: 'text', label: 'Plain text' },
] as const

/** Previews an email at desktop and phone width and as plain text. The sandboxed frame runs no scripts and opens no links. */
export function MailPreview({ src, text }: Props) {
  const id = useId()
  const [view, setView] = useState<(typeof views)[number]['value']>('desktop')
  return (
    <div className="mail-preview">
      <Tabs id={id} label="Preview as" look="pills" tabs={views} value={view} onChange={setView} />
      <TabPanel id={id} value={view} className="mt-3">
        {view === 'text' ? (
          <pre className="mail-preview-text">{text}</pre>
        ) : (
          <iframe
            key={view}
            src={src}
            title="Email preview"
            sandbox=""
            className={view === 'phone' ? 'mail-preview-frame mail-preview-phone' : 'mail-preview-frame'}
          />
        )}
      </TabPanel>
    </div>
  )
}
