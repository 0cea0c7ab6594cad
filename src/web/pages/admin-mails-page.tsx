import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { listTemplates } from '#features/mails/admin-contract.ts'
import { query } from '#web/data.ts'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { Note } from '../ui/note.tsx'
import { TabPanel } from '../ui/tabs/tab-panel.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminMailsSection = pagePart(() => import('#features/mails/web/admin-mails-section.tsx'), 'AdminMailsSection')
const AdminTemplatesSection = pagePart(
  () => import('#features/mails/web/admin-templates-section.tsx'),
  'AdminTemplatesSection',
)

const tabs = [
  { value: 'log', label: 'Log' },
  { value: 'templates', label: 'Templates' },
] as const

/** The mail log and the email templates. */
export function AdminMailsPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data } = useQuery(query(listTemplates))
  const value = address.tab === 'templates' ? 'templates' : 'log'
  const open = (tab: string) =>
    void navigate({ to: '.', search: { tab: tab === 'log' ? undefined : tab } as never, resetScroll: false })
  return (
    <AdminFrame title="Mail Log">
      {data && data.from === null && (
        <Note tone="warn" className="mb-4">
          No mail server is set up, so emails are logged here but not sent.{' '}
          <Link to="/admin/settings" search={{ section: 'mail-server' } as never} className="underline">
            Set up the mail server
          </Link>
        </Note>
      )}
      <Tabs id="mails" label="Mail Log" tabs={tabs} value={value} onChange={open} />
      <TabPanel id="mails" value={value} className="mt-5">
        <Suspense fallback={<PageSpinner />}>
          {value === 'log' ? <AdminMailsSection /> : <AdminTemplatesSection />}
        </Suspense>
      </TabPanel>
    </AdminFrame>
  )
}
