/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_LIBPQ_H
#define STORE_DATABASE_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * libpq brings twenty libraries, whose loading takes longer than all else that starting worth
 * does. So it is loaded by whoever names a server. Its functions have their own names here.
 */
#define LIBPQ_FUNCTIONS(F)                                                                         \
	F(PQclear)                                                                                 \
	F(PQcmdTuples)                                                                             \
	F(PQconnectdbParams)                                                                       \
	F(PQconninfo)                                                                              \
	F(PQconninfoFree)                                                                          \
	F(PQconninfoParse)                                                                         \
	F(PQconsumeInput)                                                                          \
	F(PQenterPipelineMode)                                                                     \
	F(PQerrorMessage)                                                                          \
	F(PQexitPipelineMode)                                                                      \
	F(PQfinish)                                                                                \
	F(PQflush)                                                                                 \
	F(PQgetResult)                                                                             \
	F(PQgetisnull)                                                                             \
	F(PQgetlength)                                                                             \
	F(PQgetvalue)                                                                              \
	F(PQisBusy)                                                                                \
	F(PQntuples)                                                                               \
	F(PQparameterStatus)                                                                       \
	F(PQpipelineSync)                                                                          \
	F(PQresultErrorField)                                                                      \
	F(PQresultErrorMessage)                                                                    \
	F(PQresultStatus)                                                                          \
	F(PQsendPrepare)                                                                           \
	F(PQsendQuery)                                                                             \
	F(PQsendQueryPrepared)                                                                     \
	F(PQsetNoticeProcessor)                                                                    \
	F(PQsetnonblocking)                                                                        \
	F(PQsocket)                                                                                \
	F(PQstatus)                                                                                \
	F(PQtransactionStatus)

struct libpq {
#define MEMBER(name) __typeof__(&name) name;
	LIBPQ_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* It stays loaded. ERROR_SYSTEM where it is not on this machine. */
bool libpq_load(struct libpq *libpq, struct error *err);

#endif
