/** Tests of events for programs outside. */
