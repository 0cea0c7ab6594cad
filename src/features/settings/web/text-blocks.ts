type TextBlock = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }
/** Splits plain text into blocks: `## ` starts a heading, `- ` a list item, a blank line a new paragraph. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  for (const part of text.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const open: string[] = []
    const close = () => {
      if (open.length > 0) blocks.push({ kind: 'paragraph', text: open.splice(0).join(' ') })
    }
    for (const line of part.split('\n').map((each) => each.trim())) {
      const last = blocks.at(-1)
      if (line === '') continue
      if (line.startsWith('## ')) {
        close()
        blocks.push({ kind: 'heading', text: line.slice(3) })
      } else if (line.startsWith('- ')) {
        close()
        if (last?.kind === 'list') last.items.push(line.slice(2))
        else blocks.push({ kind: 'list', items: [line.slice(2)] })
      } else open.push(line)
    }
    close()
  }
  return blocks
}
