/** A list of benefits with check marks. CSS draws the marks, because an SVG element for each mark would add 280 bytes to the HTML. */
export function Ticks({ items }: { items: readonly string[] }) {
  return (
    <ul className="ticks">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
