export default function CourseCreatePage() {
  return null
}
