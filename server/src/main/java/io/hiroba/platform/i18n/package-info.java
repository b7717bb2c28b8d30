/**
 * The languages of Hiroba: its messages in each of them, and the reader whose language and time zone a page is made for. A
 * message is written once a language, in ICU's message format, in the {@code messages_*.properties} of its feature, and is named
 * by a key that begins with the feature. {@code MessagesTest} holds the files and the keys in the sources together.
 */
@NullMarked
package io.hiroba.platform.i18n;

import org.jspecify.annotations.NullMarked;
