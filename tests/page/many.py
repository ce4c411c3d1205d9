# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording of many runs, made from one of few: what no one wants to measure here."""
import json


def judged_runs(data):
    """Runs that were measured, neither warm-up nor failed, as the recording tells them."""
    recording = data['recording']
    names = [metric['name'] for metric in recording['metrics']]
    primary = names.index(data['primary'])
    return [sample for sample in recording['samples']
            if not {'warmup', 'failed'} & set(sample['flags'])
            and sample['values'][primary] is not None]


def write(path, data, variants, runs):
    """Of data, a report in JSON, with so many runs of all variants together; they differ by up to
    1% and by 0.1% from one variant to the next."""
    recording = data['recording']
    plan = recording['plan']
    model = judged_runs(data)[0]
    primary = [metric['name'] for metric in recording['metrics']].index(data['primary'])
    warmup = plan.get('warmup_rounds', 0)
    plan['subjects'] = [dict(plan['subjects'][0], label=f'variant-{number}',
                             command=f'./prog --variant {number}', baseline=0)
                        for number in range(variants)]
    recording['samples'] = []
    for index in range(runs):
        variant = index % variants
        sample = dict(model, round=index // variants + warmup, position=variant, subject=variant,
                      values=list(model['values']))
        sample['values'][primary] = 0.15 * (1 + 0.001 * variant) * \
            (1 + 0.01 * ((index * 7919) % 997) / 997)
        recording['samples'].append(sample)
    recording['rounds_done'] = plan['rounds'] = runs // variants
    with open(path, 'w', encoding='utf-8') as stream:
        json.dump(recording, stream)
