import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listTemplates, type MailTemplate } from '../admin-contract.ts'

const AdminTemplateDialog = lazy(() =>
  import('./admin-template-dialog.tsx').then((module) => ({ default: module.AdminTemplateDialog })),
)

/** Lists all mail templates for preview and test sending. */
export function AdminTemplatesSection() {
  const { data, error, refetch } = useQuery(query(listTemplates))
  const [opened, open] = useOpenDialog<MailTemplate>()
  if (error) return <ErrorState title="Error loading data" message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-96" />
  return (
    <>
      <ul className="templates">
        {data.templates.map((template) => (
          <li key={template.name} className="card template">
            <div className="min-w-0">
              <h2 className="text-base font-semibold">{template.title}</h2>
              <p className="text-sm wrap-anywhere text-fg-2">{template.subject}</p>
            </div>
            <Button variant="soft" size="sm" onClick={({ currentTarget }) => open(template, currentTarget)}>
              Preview
              <span className="sr-only"> {template.title}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened && (
          <AdminTemplateDialog
            key={opened.openCount}
            template={opened.subject}
            from={data.from}
            returnTo={opened.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
