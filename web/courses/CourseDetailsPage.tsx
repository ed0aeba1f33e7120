export default function CourseDetailsPage() {
  return null
}
