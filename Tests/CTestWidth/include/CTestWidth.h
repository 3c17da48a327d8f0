// Declares nothing: see CTestWidth.c.
