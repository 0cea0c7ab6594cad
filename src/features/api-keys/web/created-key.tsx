import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Note } from '#web/ui/note.tsx'

/** A new API key, to copy. */
export function CreatedKey({ text }: { text: string }) {
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        This key is not shown again, because only its digest is stored. Save it where the program reads it.
      </Note>
      <p className="num rounded-md border px-4 py-3 font-semibold break-all">{text}</p>
      <div>
        <CopyButton text={text} what="API key" variant="ink" />
      </div>
      <p className="text-fg-2">
        Send it with every request, in the header <code>Authorization: Bearer sauce_…</code>. The operations and the
        scopes that they need are in the{' '}
        <a href="/api/docs" target="_blank" rel="noreferrer" className="link">
          API documentation
        </a>
        .
      </p>
    </div>
  )
}
