import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Note } from '#web/ui/note.tsx'

/** Shows a new signing secret. It is shown only once. */
export function WebhookSecret({ secret }: { secret: string }) {
  return (
    <Note tone="warn">
      <p>
        This is the signing secret. Copy it to the receiver now: it is not shown again. The receiver uses it to verify
        the header <code>webhook-signature</code> as described by the Standard Webhooks specification.
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        <code className="min-w-0 wrap-anywhere">{secret}</code>
        <CopyButton text={secret} what="secret" size="sm" />
      </p>
    </Note>
  )
}
