const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const cells = ['a', 'b', 'c', 'd', 'e']

/** A placeholder of the same row height while the grid loads. */
export function GuideSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading the guide
      </p>
      <div className="guide-frame guide-loading" aria-hidden="true">
        {rows.map((row) => (
          <div key={row}>
            <i />
            {cells.map((cell) => (
              <span key={cell} />
            ))}
          </div>
        ))}
      </div>
    </>
  )
}
