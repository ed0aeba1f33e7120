export default function CourseListPage() {
  return null
}
