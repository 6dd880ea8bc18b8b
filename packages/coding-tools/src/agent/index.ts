/** Tools that work on files and run commands. */
export {}
