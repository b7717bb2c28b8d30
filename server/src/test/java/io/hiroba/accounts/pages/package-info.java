@NullMarked
package io.hiroba.accounts.pages;

import org.jspecify.annotations.NullMarked;
