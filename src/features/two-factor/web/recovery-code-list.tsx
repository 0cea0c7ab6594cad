import { Download, Printer } from 'lucide-react'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Note } from '#web/ui/note.tsx'

/** Shows new recovery codes, with buttons to download, print or copy them. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  const heading = () => `Recovery codes for ${location.host}. Each one works once.`
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${heading()}\n\n${text}`], { type: 'text/plain' }))
    link.download = 'recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        Store these codes somewhere other than your phone. Each one works once, and they are not shown again.
      </Note>
      <div className="print-alone">
        <p className="print-only">{heading()}</p>
        <ul
          aria-label="Recovery codes"
          className="num grid gap-x-6 gap-y-1.5 rounded-lg bg-surface-2 p-4 text-center font-semibold sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2.5">
        <Button variant="line" onClick={save}>
          <Download size={18} />
          Download
        </Button>
        <Button variant="line" onClick={() => window.print()}>
          <Printer size={18} />
          Print
        </Button>
        <CopyButton text={text} label="Copy" what="recovery codes" />
      </div>
    </div>
  )
}
