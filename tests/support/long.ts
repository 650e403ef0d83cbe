/** Whether long tests run too, and screens are measured at every width (docs/testing.md#long-tests). */
export const runsLongTests = () => process.env.LONG === '1'
