export default function CourseEditPage() {
  return null
}
