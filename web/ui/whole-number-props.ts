/** The props of an input for a positive whole number. */
export const WHOLE_NUMBER_PROPS = {
  min: 1,
  clampBehavior: 'none',
  allowDecimal: false,
  allowNegative: false,
  thousandSeparator: ',',
  thousandsGroupStyle: 'lakh',
  inputMode: 'numeric',
} as const
