/** A list of benefits with check marks. The marks are drawn by CSS: as pictures in the HTML they were a tenth of the pages of plans. */
export function Ticks({ items }: { items: readonly string[] }) {
  return (
    <ul className="ticks">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
