import { CopyButton } from '../../ui/button/copy-button.tsx'

/** A code with a copy button. Shown only if scripts run; the text of the step contains the code too. */
export function CodeBox({ code }: { code: string }) {
  return (
    <div className="guide-code">
      <b className="num">{code}</b>
      <CopyButton size="sm" variant="soft" text={code} what="code" />
    </div>
  )
}
