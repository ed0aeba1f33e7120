export default function LikedPage() {
  return null
}
