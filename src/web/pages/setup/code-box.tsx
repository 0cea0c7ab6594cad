import { CopyButton } from '../../ui/button/copy-button.tsx'

/** A code to copy. Only with scripts: the text of the step has it too. */
export function CodeBox({ code }: { code: string }) {
  return (
    <div className="guide-code">
      <b className="num">{code}</b>
      <CopyButton size="sm" variant="soft" text={code} what="code" />
    </div>
  )
}
