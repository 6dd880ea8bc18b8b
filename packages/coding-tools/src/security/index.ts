/** What coding tools may do. */
export {}
