package io.hiroba.inbox.items;

import java.util.List;

/** Everybody whom a filter by author means: accounts here, and people as connections know them. */
record Authors(List<Long> users, List<Long> people) {}
