/** The pages of accounts: parse, call the facade, render. What is allowed, the facades decide. */
@NullMarked
package io.hiroba.accounts.pages;

import org.jspecify.annotations.NullMarked;
