// Nothing to call: see CTestWidth.c.
