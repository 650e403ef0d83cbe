export function CompleteProfile() {
  return <h1>Complete your profile</h1>
}
