export default function BoughtCoursesPage() {
  return null
}
