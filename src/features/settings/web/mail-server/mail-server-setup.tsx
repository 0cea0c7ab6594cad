import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getMailServer, type StoredMailServer } from '#features/mails/admin-server-contract.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MailServerFields } from './mail-server-fields.tsx'
import { useMailServerForm } from './use-mail-server-form.ts'

/** The mail server as a step of the setup. */
export function MailServerSetup() {
  const { data } = useQuery(query(getMailServer))
  return data ? <SetupForm stored={data} /> : <Skeleton className="h-40" />
}

function SetupForm({ stored }: { stored: StoredMailServer }) {
  const setting = useMailServerForm(stored)
  const { form, submit, recipient } = setting
  return (
    <form noValidate onSubmit={submit} className="setup-fields setup-mail" aria-label="Mail server">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <MailServerFields setting={setting} />
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} />}
      <div className="setup-send">
        <Button {...form.button}>Send Test Email and Save</Button>
        <p className="text-sm text-fg-2">
          Goes to {recipient}. Port and encryption are detected. An unusual port is entered under{' '}
          <Link to="/admin/settings" search={{ section: 'mail-server' } as never} className="underline">
            Settings
          </Link>
          .
        </p>
      </div>
    </form>
  )
}
