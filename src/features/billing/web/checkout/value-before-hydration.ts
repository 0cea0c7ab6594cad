/** Returns what the user or the browser entered in a control before hydration; undefined if the control still has the value of the server-rendered page. */
export const valueBeforeHydration = (id: string): string | undefined => {
  const control = document.getElementById(id)
  if (control instanceof HTMLInputElement) return control.value === control.defaultValue ? undefined : control.value
  if (!(control instanceof HTMLSelectElement) || control.selectedOptions[0]?.defaultSelected) return undefined
  return control.value
}
