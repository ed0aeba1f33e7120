export default function YourCoursesPage() {
  return null
}
