/**
 * Class names of a Button whose label wraps instead of being cut where it is long or the text is enlarged. Mantine trims
 * the label to its capitals, which would cut descenders.
 */
export const WRAPPING_LABEL = {
  root: 'h-auto! min-h-[44px] py-1 [--button-padding-x:22px]!',
  label: 'block! h-auto! whitespace-normal! text-center leading-snug! [text-box:normal]!',
}
